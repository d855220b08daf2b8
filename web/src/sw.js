/*
 * The page without a network: the client itself, which then says that it is offline. Nothing of the API is kept.
 * The build fills in FILES (everything the client is made of) and VERSION (a hash over their names).
 */
const VERSION = "__VERSION__";
const FILES = ["__FILES__"];
const CACHE = `foxrow-${VERSION}`;
const base = new URL("./", self.location.href);

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(["./", ...FILES].map((file) => new URL(file, base).href)))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name.startsWith("foxrow-") && name !== CACHE)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== base.origin || !url.pathname.startsWith(base.pathname))
    return;
  const path = url.pathname.slice(base.pathname.length);
  if (path.startsWith("api/")) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(base.href)));
  } else if (path.startsWith("assets/")) {
    // A file whose name holds its hash never changes.
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)));
  } else {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});
