// Keeps one file, answers one of its own making, and lets all else through to the network.
const kept = "/inner.html";
self.addEventListener("install", (event) => event.waitUntil(caches.open("kept").then((cache) => cache.add(kept)).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname === kept) event.respondWith(caches.match(kept));
  else if (pathname === "/made") event.respondWith(new Response("made by the worker"));
  else if (pathname === "/through.js") event.respondWith(fetch("/network_worker.js?through").then((answer) => answer, () => new Response("worker is offline")));
});
