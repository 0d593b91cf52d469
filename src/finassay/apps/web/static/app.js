// Charts and the theme.  Everything else on a page works without this file.
import "./charts.js";
