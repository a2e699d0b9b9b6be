/** Streams in a position; a longer one isn't ours. */
const mostStreams = 50;

/** @param text - `watchAppointments:1790000000000,…`; whatever isn't a position counts as none */
export function readPosition(text: string): Map<string, string> {
  const position = new Map<string, string>();
  for (const part of text.split(',').slice(0, mostStreams)) {
    const [, call, id] = /^(\w{1,100}):([\w-]{1,64})$/.exec(part) ?? [];
    if (call !== undefined && id !== undefined) position.set(call, id);
  }
  return position;
}

/** The id of a live line's event: the last id of each stream. */
export function formatPosition(position: ReadonlyMap<string, string>): string {
  return [...position].map(([call, id]) => `${call}:${id}`).join(',');
}
