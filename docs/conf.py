"""Settings of the documentation build; it reads nothing from the network."""

from functools import lru_cache
from importlib.metadata import version as installed_version

from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment

project = "Finassay"
author = "The Finassay authors"
copyright = author
release = installed_version("finassay")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
default_role = "code"  # docstrings write names in single backticks
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_custom_sections = [("Class attributes", "params_style")]
napoleon_use_ivar = True  # attributes stand once, under the class that has them

html_theme = "furo"
html_title = "Finassay"
html_copy_source = False
html_show_sphinx = False


class OnceDomain(PythonDomain):
    """Looks every name up once: a type of another module is searched among all objects."""

    def __init__(self, env: BuildEnvironment) -> None:
        super().__init__(env)
        # References are looked up when all pages were read, and no object is added any more.
        self.find_obj = lru_cache(maxsize=None)(super().find_obj)


def setup(app: Sphinx) -> None:
    """Leave out the fields of named tuples: the list of attributes under the class has them."""
    app.add_domain(OnceDomain, override=True)
    app.connect(
        "autodoc-skip-member",
        lambda _app, _what, _name, member, skip, _options: (
            skip or type(member).__name__ == "_tuplegetter"
        ),
    )
