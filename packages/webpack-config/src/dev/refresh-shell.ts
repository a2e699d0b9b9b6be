// The first module of a development shell: React looks for React Refresh when it is loaded.
import './refresh-global.ts';
import * as runtime from 'react-refresh/runtime';

/** Addresses of the served remotes by name. Set by the build. */
declare const servedRemotes: Readonly<Record<string, string>>;

runtime.injectIntoGlobalHook(globalThis);
globalThis.clinicReactRefresh = runtime;
// Like opening the page with ?remote-override=; the bar at its foot says so.
localStorage.setItem('clinic:remote-overrides', JSON.stringify(servedRemotes));
