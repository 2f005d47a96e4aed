// Inserts metadata into a finished JPEG: segments right after its start mark, and the few bytes of EXIF that must change.

const maxSegment = 65_533;
const exifMark = Buffer.from("Exif\0\0", "latin1");
const iccMark = Buffer.from("ICC_PROFILE\0", "latin1");
const orientationTag = 0x0112;

/** Metadata that does not fit into a JPEG's segments is left out. */
export function withSegments(jpeg: Buffer, exif: Buffer | undefined, icc: Buffer | undefined): Buffer {
  const segments: Buffer[] = [];
  if (exif && exif.length + exifMark.length <= maxSegment) segments.push(segment(0xe1, exifMark, exif));
  if (icc) {
    const room = maxSegment - iccMark.length - 2;
    const parts = Math.ceil(icc.length / room);
    for (let part = 0; parts < 256 && part < parts; part += 1) {
      const mark = Buffer.concat([iccMark, Buffer.from([part + 1, parts])]);
      segments.push(segment(0xe2, mark, icc.subarray(part * room, (part + 1) * room)));
    }
  }
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

function segment(kind: number, mark: Buffer, content: Buffer): Buffer {
  const head = Buffer.from([0xff, kind, 0, 0]);
  head.writeUInt16BE(mark.length + content.length + 2, 2);
  return Buffer.concat([head, mark, content]);
}

/** EXIF without its prefix, and with the orientation of an upright picture; undefined when it is damaged. */
export function uprightExif(exif: Buffer): Buffer | undefined {
  const hasMark = exif.subarray(0, exifMark.length).equals(exifMark);
  const tiff = Buffer.from(hasMark ? exif.subarray(exifMark.length) : exif);
  try {
    const isLittle = tiff.toString("latin1", 0, 2) === "II";
    const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
    const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    for (let left = read16(directory), at = directory + 2; left > 0; left -= 1, at += 12) {
      if (read16(at) !== orientationTag) continue;
      if (isLittle) tiff.writeUInt16LE(1, at + 8);
      else tiff.writeUInt16BE(1, at + 8);
    }
    return tiff;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
