/** Downloads a text as a file. @param type - its media type; the text is UTF-8 */
export function saveFile(text: string, name: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  // Safari reads the file only after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
