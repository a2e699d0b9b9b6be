import Bowser from 'bowser';

/** Longest part of a name to show; a user agent can contain anything. */
const longest = 40;

/**
 * The browser and device of a session, e.g. `Chrome on Android`.
 *
 * @param userAgent - the browser's, from when the session was opened
 */
export function deviceName(userAgent: string | undefined): string {
  if (!userAgent) return 'Unknown browser';
  const { browser, os } = Bowser.parse(userAgent);
  const name = browser.name?.slice(0, longest) || 'Unknown browser';
  const system = os.name?.slice(0, longest);
  return system ? `${name} on ${system}` : name;
}
