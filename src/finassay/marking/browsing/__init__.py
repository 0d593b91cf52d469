"""Browsing room: pages of items and of one item.  In: snapshots.  Out: frozen records."""
