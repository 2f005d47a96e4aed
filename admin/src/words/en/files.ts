// Sentences of uploads, images and files.

import { formatBytes, formatList, formatNumber, plural } from "#words/format.ts";

/** KB of the rules are 1024 bytes. */
const kilobytes = (count: number) => formatBytes(count * 1024);
const pixels = (count: number) => `${formatNumber(count)} px`;
const either = (values: string[]) =>
  values.length > 1 ? `${values.slice(0, -1).join(", ")} or ${values.at(-1)}` : values.join();

function between(min: number | undefined, max: number | undefined, write: (count: number) => string): string {
  if (min === undefined) return `at most ${write(max ?? 0)}`;
  if (max === undefined) return `at least ${write(min)}`;
  return min === max ? `exactly ${write(min)}` : `${write(min)} to ${write(max)}`;
}

/** `image/png` is PNG, `image/*` are images, `.pdf` is PDF. */
function typeName(type: string): string {
  const [kind = "", ending = ""] = type.split("/");
  if (ending === "*") return `${kind} files`;
  return (ending === "" ? type.replace(/^\./, "") : ending.replace(/\+xml$/, "")).toUpperCase();
}

export const files = {
  uploads: "Uploads",
  running: (count: number) => plural(count, { one: "Uploading 1 file", other: (n) => `Uploading ${n} files` }),
  toSend: (count: number) => plural(count, { one: "1 file waits", other: (n) => `${n} files wait` }),
  notSent: (count: number) => plural(count, { one: "1 file was not sent", other: (n) => `${n} files were not sent` }),
  allDone: (count: number) => plural(count, { one: "1 file uploaded", other: (n) => `${n} files uploaded` }),
  began: (name: string) => `The upload of ${name} has begun`,
  ended: (name: string) => `${name} is uploaded`,
  stopped: (name: string) => `${name} was not uploaded`,
  goesTo: (label: string, object: string) => (object === "" ? label : `${label} of ${object}`),
  waiting: "Sent when you save",
  queued: "Waits for its turn",
  offline: "You are offline. It goes on when you are connected.",
  paused: "Paused",
  storing: "Being stored",
  fetching: "Fetched by the server",
  done: "Uploaded",
  unreachable: "The server cannot be reached.",
  resumed: "Goes on where it stopped",
  progress: (sent: number, size: number) => `${formatBytes(sent)} of ${formatBytes(size)}`,
  speed: (bytes: number) => `${formatBytes(bytes)}/s`,
  progressOf: (name: string) => `Progress of ${name}`,
  pause: (name: string) => `Pause ${name}`,
  resume: (name: string) => `Resume ${name}`,
  retry: (name: string) => `Retry ${name}`,
  cancel: (name: string) => `Cancel ${name}`,
  clear: "Clear the list",
  collapse: "Show less",
  expand: "Show all",
  percent: (share: number) => `${formatNumber(Math.floor(share * 100))} %`,

  // Rules of a field
  pictureTypes: "JPEG, PNG, GIF, WebP, AVIF, HEIC or SVG",
  atMost: (bytes: number) => `at most ${formatBytes(bytes)}`,
  ranges: {
    size: (min: number | undefined, max: number | undefined) => between(min, max, kilobytes),
    width: (min: number | undefined, max: number | undefined) => `${between(min, max, pixels)} wide`,
    height: (min: number | undefined, max: number | undefined) => `${between(min, max, pixels)} high`,
    count: (min: number | undefined, max: number | undefined) => between(min, max, (count) => files.files(count)),
  },
  choices: {
    orientation: (any: string[]) => either(any),
    aspectratio: (any: string[]) => `ratio ${either(any)}`,
    filetype: (any: string[]) => either([...new Set(any.map(typeName))]),
    filename: (any: string[]) => `named ${either(any)}`,
  },
  files: (count: number) => plural(count, { one: "1 file", other: (n) => `${n} files` }),
  breaks: (rule: string, actual: string) =>
    actual === ""
      ? `This field takes files that are ${rule}.`
      : `This field takes pictures that are ${rule}. This one is ${actual}.`,
  tooMany: (rule: string) => `This field takes ${rule}. Remove one first.`,
  isEmpty: "The file is empty.",
  tooLarge: (size: number, most: number) =>
    `The file has ${formatBytes(size)}. At most ${formatBytes(most)} can be uploaded.`,
  noPicture: "The file is not a picture that can be shown. Choose JPEG, PNG, GIF, WebP, AVIF, HEIC or SVG.",
  sides: (width: number, height: number) => `${formatNumber(width)} × ${formatNumber(height)} px`,

  // Fields
  upload: "Upload",
  uploadTo: (label: string) => `Upload ${label}`,
  uploadFromUrl: (label: string) => `Upload ${label} from a URL`,
  fromUrl: "From a URL",
  address: "Address",
  addressHelp: "The server fetches the file from there.",
  addressWrong: "Write an address that starts with http:// or https://",
  dropOne: "Drop a picture here, paste it, or choose one.",
  dropMany: "Drop pictures here, paste them, or choose some.",
  dropNow: "Drop to upload",
  altTextOf: (label: string) => `${label} alt text`,
  altText: "Alt text",
  altHelp: "What the picture shows, for people who do not see it.",
  noAlt: "No alt text",
  noAltShort: "No alt",
  edit: "Edit",
  editFile: (name: string) => `Edit ${name}`,
  remove: "Remove",
  removeFile: (name: string) => `Remove ${name}`,
  replaceTip: "A new picture keeps alt text, tags and link.",
  interrupted: (name: string, share: number) =>
    `The upload of ${name} stopped at ${formatNumber(Math.floor(share * 100))} %. Choose the file again to go on.`,
  sendingNow: (name: string, share: number) => `${name}: ${formatNumber(Math.floor(share * 100))} %`,
  problemOf: (name: string, problem: string) => `${name}: ${problem}`,

  // Image dialog
  imageViews: "Views of the image",
  details: "Details",
  focalPoint: "Focal point",
  metadata: "Metadata",
  apply: "Apply",
  link: "Link",
  linkHelp: "Where a click on the picture leads.",
  linkWrong: "Write a web address or a path",
  tags: "Tags",
  tagsHelp: "Separated by commas",
  featured: "Featured",
  focalHelp: "Drag the cross, or use the sliders. Crops keep this point in view.",
  horizontal: "Horizontal",
  vertical: "Vertical",
  crops: "Crops",
  file: "File",
  camera: "Camera and place",
  noExif: "The picture carries no data of a camera.",
  palette: "Palette",
  copyColor: (color: string) => `Copy ${color}`,
  copied: "Copied",
  facts: {
    name: "Name",
    mime: "Type",
    sides: "Size in pixels",
    size: "Size",
    uploadDate: "Uploaded",
  },
  exif: {
    aperture: "Aperture",
    iso: "ISO",
    shutterSpeed: "Shutter speed",
    make: "Make",
    camera: "Camera",
    lens: "Lens",
    focalLength: "Focal length",
    author: "Author",
    description: "Description",
    copyright: "Copyright",
    title: "Title",
    date: "Taken",
    longitude: "Longitude",
    latitude: "Latitude",
    altitude: "Altitude",
    country: "Country",
    state: "State",
    city: "City",
    sublocation: "Place",
  } as Record<string, string>,
  addressIntro: "Ask for the picture in any size and format by its address.",
  width: "Width",
  height: "Height",
  fit: "Fit",
  fits: {
    inside: "Inside the box",
    crop: "Cut around the focal point",
    cover: "Cut around the middle",
    contain: "With margins",
    fill: "Stretched",
  },
  format: "Format",
  asStored: "As stored",
  quality: "Quality",
  preview: "Preview",
  previewFailed: "The server cannot make this picture. Change the values.",
  wholeFrom: (least: number, most: number) => `A whole number from ${formatNumber(least)} to ${formatNumber(most)}`,
  urlOutput: "URL",
  liquidOutput: "Liquid",
  copyUrl: "Copy URL",
  copyLiquid: "Copy Liquid",

  // Gallery
  images: (count: number) => plural(count, { one: "1 picture", other: (n) => `${n} pictures` }),
  selectImage: (name: string) => `Select ${name}`,
  actionsFor: (name: string) => `Actions for ${name}`,
  makeFeatured: "Mark as featured",
  endFeatured: "Do not feature",
  isFeatured: "Featured",
  selected: (count: number) => plural(count, { one: "1 selected", other: (n) => `${n} selected` }),
  describe: "Alt text and tags…",
  describeTitle: (count: number) => plural(count, { one: "Edit 1 picture", other: (n) => `Edit ${n} pictures` }),
  describeHelp: "What stays empty is not changed.",
  addTags: "Tags",
  clearSelection: "Clear selection",
  selectAll: "Select all",
  selectedImages: "Selected pictures",
  listOf: (names: string[]) => formatList(names),
};
