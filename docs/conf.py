"""Settings of the documentation build; it reads nothing from the network."""

from importlib.metadata import version as installed_version

from sphinx.application import Sphinx
from sphinx.domains.python import ObjectEntry, PythonDomain
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


class QuickDomain(PythonDomain):
    """Searches all objects only for a name that one of them has: `int` and `Path` are none."""

    _names: frozenset[str] = frozenset()

    def find_obj(
        self,
        env: BuildEnvironment,
        modname: str,
        classname: str,
        name: str,
        type: str | None,  # noqa: A002 - as the library calls it
        searchmode: int = 0,
    ) -> list[tuple[str, ObjectEntry]]:
        """Return the objects of a name; all pages were read before the first is looked for."""
        if not self._names:
            self._names = frozenset(one.rpartition(".")[2] for one in self.objects)
        if name.removesuffix("()").rpartition(".")[2] not in self._names:
            return []
        return super().find_obj(env, modname, classname, name, type, searchmode)


def setup(app: Sphinx) -> None:
    """Leave out the fields of named tuples: the list of attributes under the class has them."""
    app.add_domain(QuickDomain, override=True)
    app.connect(
        "autodoc-skip-member",
        lambda _app, _what, _name, member, skip, _options: (
            skip or type(member).__name__ == "_tuplegetter"
        ),
    )
