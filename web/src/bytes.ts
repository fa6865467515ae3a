// Bytes out of text: base64, and zlib by the browser's own decompressor.

export function from_base64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.trim());
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

// base64(zlib(little-endian array)); every machine with a browser is little-endian.
export async function unpack(packed: string): Promise<ArrayBuffer> {
  return packed ? inflate(from_base64(packed)) : new ArrayBuffer(0);
}
