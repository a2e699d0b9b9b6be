import type { GatewaySettings } from '../settings.ts';

/** What pages need to know about this installation; read as `AppConfig` in app-kit. */
export function pageConfigOf(settings: GatewaySettings) {
  return {
    demoMode: settings.DEMO_MODE,
    /** Whether the emulator proves who people are. */
    emulator: settings.AUTH_EMULATOR_URL !== undefined,
    firebase: {
      apiKey: settings.FIREBASE_API_KEY,
      authDomain: settings.FIREBASE_AUTH_DOMAIN,
      projectId: settings.FIREBASE_PROJECT_ID,
    },
    clinicTimeZone: settings.CLINIC_TZ,
    /** Sign of the clinic's currency, for all amounts. */
    currency: settings.CURRENCY,
    /** Developers may point the shell at a local build of one remote. */
    remoteOverrides: settings.REMOTE_OVERRIDES,
    /** Offer developer pages, such as the design system's gallery. */
    development: settings.NODE_ENV !== 'production',
  };
}
