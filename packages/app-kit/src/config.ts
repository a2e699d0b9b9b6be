/** What the gateway tells the page about this installation (`<script type="application/json" id="config">`). */
export interface AppConfig {
  /** Demo accounts are offered on the login page. */
  readonly demoMode: boolean;
  /** The identity provider is the emulator behind the gateway, not a real project. */
  readonly emulator: boolean;
  readonly firebase: { readonly apiKey: string; readonly authDomain: string; readonly projectId: string };
  /** IANA name, e.g. `Asia/Dhaka`. */
  readonly clinicTimeZone: string;
  /** Developers may point the shell at a local build of one remote. */
  readonly remoteOverrides?: boolean;
  /** What only developers need, such as the design system's gallery, is there. */
  readonly development?: boolean;
}

let known: AppConfig | undefined;

/**
 * The installation's configuration, read once from the page.
 *
 * @throws Error when the page carries no configuration: it did not come through the gateway
 */
export function readConfig(): AppConfig {
  if (known) return known;
  const text = document.getElementById('config')?.textContent;
  if (!text) throw new Error('The page has no <script id="config">: open it through the gateway');
  known = JSON.parse(text) as AppConfig;
  return known;
}

/** {@link readConfig} by the name components know such things by. */
export const useConfig = readConfig;
