// The first module of a shell that is built for development: React looks for React Refresh when it is loaded.
import './refresh-global.ts';
import * as runtime from 'react-refresh/runtime';

/** The remotes that are served while they change: addresses by name. Set by the build. */
declare const servedRemotes: Readonly<Record<string, string>>;

runtime.injectIntoGlobalHook(globalThis);
globalThis.clinicReactRefresh = runtime;
// As if opened with ?remote-override=; the bar at the foot of the page says so.
localStorage.setItem('clinic:remote-overrides', JSON.stringify(servedRemotes));
