import type { GatewaySettings } from '../settings.ts';

/**
 * Where browsers send reports of violations (`policy-reports.ts`). `report-uri` works in all browsers. `report-to` is
 * meant to replace it, but with it Chromium sends no reports from http pages, and delays them by a minute on https.
 */
const report = 'report-uri /policy-reports';

/**
 * Headers that limit what a page may load and run. Content-Security-Policy: scripts only from our own files, no inline
 * scripts, no eval, and (Trusted Types) no strings that become code. The registry and configuration blocks are data, which
 * the policy doesn't restrict.
 */
export function pagePolicies(settings: GatewaySettings): Readonly<Record<string, string>> {
  const emulated = settings.AUTH_EMULATOR_URL !== undefined;
  // Opens the Google sign-in window with a real Firebase project.
  const authDomain = emulated ? undefined : settings.FIREBASE_AUTH_DOMAIN;
  const { REMOTE_OVERRIDES: allowLocal, TRUSTED_TYPES: trustedTypes = emulated ? 'enforce' : 'report' } = settings;
  const local = allowLocal ? ' http://localhost:* http://127.0.0.1:*' : '';
  const google = authDomain ? ' https://apis.google.com' : '';
  // Each remote's loader has a policy with its name, and restarts after a failure, hence duplicates. The code in shell and mf-public decides which
  // addresses `remote-entries` allows and which data `data-blocks` allows.
  const types = [
    "require-trusted-types-for 'script'",
    `trusted-types shell remote-entries data-blocks ${[...settings.REMOTES.keys(), "'allow-duplicates'"].join(' ')}`,
  ];
  const policy = [
    "default-src 'none'",
    `script-src 'self'${google}${local}`,
    `style-src 'self'${local}`,
    // Doctors' portraits and Google account pictures are on other hosts; daisyUI uses data URLs.
    `img-src 'self' data: https:${local}`,
    `font-src 'self'${local}`,
    `connect-src 'self'${authDomain ? ' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com' : ''}${local}`,
    `frame-src ${authDomain ? `https://${authDomain}` : "'none'"}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  if (trustedTypes === 'enforce') return { 'Content-Security-Policy': [...policy, ...types, report].join('; ') };
  return {
    'Content-Security-Policy': [...policy, report].join('; '),
    'Content-Security-Policy-Report-Only': [...types, report].join('; '),
  };
}
