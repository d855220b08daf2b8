/**
 * A drawing as an image. Sixty inline drawings are thousands of nodes to style, lay out and paint at every move; sixty
 * images with one address are sixty nodes, and the browser draws each face once.
 *
 * An image knows neither the page's variables nor its symbols: both are written into it, as they are in `place` now.
 */
export function stamp(drawing: SVGElement, viewBox: string, place: Element): string {
  const style = getComputedStyle(place);
  const art = drawing.cloneNode(true) as SVGElement;
  for (const use of art.querySelectorAll("use")) {
    const symbol = document.querySelector(use.getAttribute("href")!);
    const box = symbol?.getAttribute("viewBox");
    if (symbol && box) use.parentElement!.setAttribute("viewBox", box);
    use.replaceWith(...(symbol?.cloneNode(true).childNodes ?? []));
  }
  const inner = new XMLSerializer()
    .serializeToString(art)
    .replace(/<!--.*?-->/g, "")
    .replace(/var\((--[\w-]+)(?:,\s*([^)]+))?\)/g, (_, name: string, other?: string) =>
      (style.getPropertyValue(name) || other || "none").trim(),
    );
  const [, , width, height] = viewBox.split(" ");
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="${width}" height="${height}">${inner}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(text)}`;
}

/** A stamped drawing as pixels, sharp at this width in CSS pixels: painting it is then no more than copying. */
export async function print(url: string, width: number): Promise<string> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = (width * Math.max(2, devicePixelRatio)) / image.naturalWidth;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!blob) return url;
  // Not an object URL: to make one the page waits for the browser, and a slow one keeps it waiting for long.
  const reader = new FileReader();
  return new Promise((resolve) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => resolve(url);
    reader.readAsDataURL(blob);
  });
}
