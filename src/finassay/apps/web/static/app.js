// Charts and the theme.  Everything else on a page works without this file.
export {};
