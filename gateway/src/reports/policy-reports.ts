import { z } from 'zod';
import type { RemoteRegistry } from '../registry/registry.ts';
import { hashedName } from '../server/hashed-name.ts';
import type { ReportKind } from './visitor-reports.ts';

/**
 * What of a directive's name is logged, and labels the metric: those of our policies (`page-policy.ts`), in the variants that
 * browsers report.
 */
const directive =
  /^(?:(?:script|style)-src(?:-elem|-attr)?|(?:default|img|font|connect|frame|manifest|object|worker|media)-src|base-uri|form-action|frame-ancestors|(?:require-)?trusted-types(?:-for)?)$/;

/** Keywords a browser may send in place of a URL (https://www.w3.org/TR/CSP3/#violation-resource). */
const keywords = new Set(['inline', 'eval', 'wasm-eval', 'trusted-types-policy', 'trusted-types-sink', 'self']);

const text = z.string().max(16_000);
const figure = z.number().int().min(0).max(100_000_000);

/**
 * A `report-uri` report (`Content-Type: application/csp-report`,
 * https://www.w3.org/TR/CSP3/#deprecated-serialize-violation).
 */
const schema = z.object({
  'csp-report': z.object({
    'document-uri': text,
    'effective-directive': text.optional(),
    'violated-directive': text.optional(),
    disposition: text.optional(),
    'blocked-uri': text.optional(),
    'source-file': text.nullish(),
    'line-number': figure.nullish(),
    'column-number': figure.nullish(),
    'script-sample': text.nullish(),
  }),
});
type Violation = z.output<typeof schema>['csp-report'];

/** Logs and counts the violations of our Content-Security-Policy that browsers report, blocked or not. */
export const policyReports: ReportKind<z.output<typeof schema>> = {
  what: 'policy report',
  // Browsers send the whole policy with each report.
  bodyLimit: 16 * 1024,
  schema,
  take({ 'csp-report': violation }, { log, metrics, registry }) {
    const logged = loggedViolation(violation, registry.pageAt);
    metrics.policyReports.inc({ directive: logged.directive, disposition: logged.disposition });
    log.warn(logged, 'policy report');
  },
};

/**
 * What is logged: our own names and standard ones. Addresses, referrers and text samples are left out, as they may contain
 * people's names.
 */
function loggedViolation(violation: Violation, pageAt: RemoteRegistry['pageAt']) {
  // Older browsers send the directive with its values.
  const [effective = ''] = (violation['effective-directive'] ?? violation['violated-directive'] ?? '').split(' ', 1);
  const [file = ''] = (violation['source-file'] ?? '').split(/[?#]/, 1);
  const [, folder, name = ''] = /\/(shell|mf\/[a-z][a-z0-9-]{0,60})\/([^/]+)$/.exec(file) ?? [];
  // The property or function that received a string, e.g. `Element innerHTML`. In other reports the sample is text from the page.
  const sink =
    violation['blocked-uri'] === 'trusted-types-sink'
      ? /^([A-Za-z]{1,40} [A-Za-z]{1,40})\|/.exec(violation['script-sample'] ?? '')?.[1]
      : undefined;
  return {
    directive: directive.test(effective) ? effective : 'other',
    disposition: violation.disposition === 'report' ? 'report' : 'enforce',
    // Its route path.
    page: pageAt(pathOf(violation['document-uri'])) ?? '[unknown]',
    blocked: blockedOf(violation['blocked-uri'] ?? ''),
    ...(hashedName.test(name) && {
      at: `${folder}/${name}:${violation['line-number'] ?? 0}:${violation['column-number'] ?? 0}`,
    }),
    ...(sink !== undefined && { sink }),
  };
}

function pathOf(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : '';
}

/** Scheme and host of a web address; only the scheme of a browser extension's or data URL. */
function blockedOf(blocked: string): string {
  if (keywords.has(blocked)) return blocked;
  if (/^[a-z][a-z-]{1,30}$/.test(blocked)) return `${blocked}:`;
  if (!URL.canParse(blocked)) return 'other';
  const { protocol, host } = new URL(blocked);
  return /^(?:https?|wss?):$/.test(protocol) && host.length <= 100 ? `${protocol}//${host}` : protocol;
}
