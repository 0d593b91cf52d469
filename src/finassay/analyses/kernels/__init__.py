"""Array kernels: numpy in, numpy out, each with a slow textbook twin in the tests."""
