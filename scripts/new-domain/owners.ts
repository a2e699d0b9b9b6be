/**
 * CODEOWNERS with a domain's two folders, after those of the other domains: of several lines that match, the last counts.
 *
 * @param text - of the file
 * @returns unchanged if the domain is in it
 */
export function withOwners(text: string, name: string): string {
  const lines = text.split('\n');
  const own = ['mf', 'svc'].map((kind) => `${`/${kind}-${name}/`.padEnd(35)} @clinic/${name}`);
  if (lines.some((line) => line.startsWith(`/svc-${name}/`))) return text;
  const last = lines.findLastIndex((line) => /^\/(?:mf|svc)-/.test(line));
  return lines.toSpliced(last === -1 ? lines.length : last + 1, 0, ...own).join('\n');
}
