import { setCurrencySign } from '@clinic/contracts/money';

/** The gateway's configuration of the page for this installation (`<script type="application/json" id="config">`). */
export interface AppConfig {
  /** The login page offers demo accounts. */
  readonly demoMode: boolean;
  /** The identity provider is the emulator behind the gateway, not a real project. */
  readonly emulator: boolean;
  readonly firebase: { readonly apiKey: string; readonly authDomain: string; readonly projectId: string };
  /** IANA name, e.g. `Asia/Dhaka`. */
  readonly clinicTimeZone: string;
  /** The sign of the clinic's currency; absent: dollars in the store and taka in orders, as in the demo. */
  readonly currency?: string;
  /** Developers may load a local build of a remote. */
  readonly remoteOverrides?: boolean;
  /** Developer features are on, such as the design system's gallery. */
  readonly development?: boolean;
}

let known: AppConfig | undefined;

/**
 * The installation's configuration, read once from the page.
 *
 * @throws Error if the page has no configuration because it didn't come through the gateway
 */
export function readConfig(): AppConfig {
  if (known) return known;
  const text = document.getElementById('config')?.textContent;
  if (!text) throw new Error('The page has no <script id="config">: open it through the gateway');
  known = JSON.parse(text) as AppConfig;
  setCurrencySign(known.currency);
  return known;
}

/** {@link readConfig} named as a hook, for components. */
export const useConfig = readConfig;
