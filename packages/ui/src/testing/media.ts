/** Answers all media queries of a test. @param matches - e.g. that the window is narrow */
export function pretendMedia(matches: boolean): void {
  window.matchMedia = (media) =>
    Object.assign(new EventTarget(), { matches, media, onchange: null, addListener() {}, removeListener() {} });
}
