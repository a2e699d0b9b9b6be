// Replaces a module of the federation runtime in the shell, whose registry says what remotes consist of (see no-manifests.ts): what
// manifests would say is read by nobody.

/** @returns nothing is known of a remote but what the registry says */
export const getGlobalRemoteInfo = (): object => ({});

/** What asks for a remote's manifest before it is preloaded. */
export class SnapshotHandler {
  readonly manifestCache = new Map<string, unknown>();
  readonly hooks = { applyPlugin: (): void => undefined };

  readonly loadRemoteSnapshotInfo = async (): Promise<object> => ({});
}
