import { SettingsError } from './settings.ts';

/** Settings that must agree on whether this is a demo. */
export interface DemoSettings {
  readonly DEMO_MODE: boolean;
  /** The clinic's public address. */
  readonly PUBLIC_URL?: string | undefined;
  /** Absent in programs that don't know the project. */
  readonly FIREBASE_PROJECT_ID?: string | undefined;
  /** Whether the emulator stands in for Firebase. */
  readonly emulated?: boolean;
  /** The operator has set DEMO_MODE explicitly; in containers a demo is the default, for a first try on this machine. */
  readonly DEMO_MODE_SAID?: boolean;
  /** Address of the host on which a container's port is published. */
  readonly PUBLISHED_AT?: string | undefined;
  readonly TRUST_PROXY?: boolean;
}

/** No real Firebase project id starts like this (https://firebase.google.com/docs/emulator-suite/connect_auth). */
const demoProject = /^demo-/;

const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Whether an address is reachable from this machine only.
 *
 * @param host - without port; an IPv6 address with or without brackets
 */
export function isLoopback(host: string): boolean {
  return loopback.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);
}

/**
 * A demo has public accounts and secrets, and cookies without `Secure`. So a program doesn't start in demo mode if
 * another setting suggests real users: DEMO_MODE may have been left on.
 *
 * @throws SettingsError if the settings contradict each other
 */
export function rejectHalfDemo(settings: DemoSettings): void {
  const { DEMO_MODE, PUBLIC_URL, FIREBASE_PROJECT_ID, emulated = false, PUBLISHED_AT, TRUST_PROXY } = settings;
  if (
    DEMO_MODE &&
    !settings.DEMO_MODE_SAID &&
    PUBLISHED_AT !== undefined &&
    (TRUST_PROXY || !isLoopback(PUBLISHED_AT))
  ) {
    const why = TRUST_PROXY ? 'TRUST_PROXY is true' : 'BIND_ADDRESS is not a loopback address';
    throw new SettingsError(
      `DEMO_MODE is not set: it must be set explicitly, because ${why} and others can reach the clinic, for example DEMO_MODE=false, or DEMO_MODE=true for a demo in which anyone can sign in as anyone`,
    );
  }
  const isDemoProject = FIREBASE_PROJECT_ID === undefined ? undefined : demoProject.test(FIREBASE_PROJECT_ID);
  if (DEMO_MODE && isDemoProject === false) {
    throw new SettingsError(
      'DEMO_MODE is wrong: it must be false with a real Firebase project, for example DEMO_MODE=false (a demo has FIREBASE_PROJECT_ID=demo-clinic, or another id that begins with demo-)',
    );
  }
  if (
    DEMO_MODE &&
    PUBLIC_URL !== undefined &&
    new URL(PUBLIC_URL).protocol === 'https:' &&
    !isLoopback(new URL(PUBLIC_URL).hostname)
  ) {
    throw new SettingsError(
      'DEMO_MODE is wrong: it must be false where PUBLIC_URL is an https address, for example DEMO_MODE=false (a demo has a loopback or http address, such as PUBLIC_URL=http://localhost:8080)',
    );
  }
  if (!DEMO_MODE && !emulated && isDemoProject === true) {
    throw new SettingsError(
      'FIREBASE_PROJECT_ID is wrong: outside of demo mode it must be the id of a real Firebase project, which never begins with demo-, for example FIREBASE_PROJECT_ID=my-clinic',
    );
  }
}
