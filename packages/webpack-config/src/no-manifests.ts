// Replaces a module of the federation runtime in the shell, which gets the remotes' entries from the registry.

/** Whether an entry is a manifest: none is. */
export function isManifestProvider(): boolean {
  return false;
}

/** @throws Error always */
function readNothing(): never {
  throw new Error('This host reads no manifests');
}

export {
  readNothing as generateSnapshotFromManifest,
  readNothing as getManifestFileName,
  readNothing as inferAutoPublicPath,
  readNothing as simpleJoinRemoteEntry,
};
