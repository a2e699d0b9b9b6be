/** The part of React Refresh that is used here; the package has no types. */
declare module 'react-refresh/runtime' {
  /** Must run before React is loaded. */
  export function injectIntoGlobalHook(scope: typeof globalThis): void;
  export function register(type: unknown, id: string): void;
  export function createSignatureFunctionForTransform(): (...args: readonly unknown[]) => unknown;
  export function isLikelyComponentType(type: unknown): boolean;
  export function getFamilyByType(type: unknown): object | undefined;
  /** Renders the components that were registered again, and keeps their state. */
  export function performReactRefresh(): unknown;
}
