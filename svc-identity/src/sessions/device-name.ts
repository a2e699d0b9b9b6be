import Bowser from 'bowser';

/** Longest part of a name that is shown; a user agent can say anything. */
const longest = 40;

/**
 * What kind of browser and device a session is on, e.g. `Chrome on Android`.
 *
 * @param userAgent - what the browser called itself when the session was opened
 */
export function deviceName(userAgent: string | undefined): string {
  if (!userAgent) return 'Unknown browser';
  const { browser, os } = Bowser.parse(userAgent);
  const name = browser.name?.slice(0, longest) || 'Unknown browser';
  const system = os.name?.slice(0, longest);
  return system ? `${name} on ${system}` : name;
}
