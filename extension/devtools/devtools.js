/** DevTools asks for this page once per tab; it adds the panel. */
chrome.devtools.panels.create("Kapture", "icons/icon16.png", "devtools/panel.html");
