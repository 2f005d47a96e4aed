// The sides of a picture before it is sent. Undefined for what this browser cannot show, HEIC for example: the server then checks.

export async function measureImage(file: File): Promise<{ width: number; height: number } | undefined> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return { width: image.naturalWidth, height: image.naturalHeight };
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(url);
  }
}
