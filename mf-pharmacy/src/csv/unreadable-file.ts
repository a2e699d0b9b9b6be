/** A file that can't be read as a list of medicines at all. */
export class UnreadableFile extends Error {}
