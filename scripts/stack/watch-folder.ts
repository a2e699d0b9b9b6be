import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join, sep } from 'node:path';

/** Not sources: what builds and tests write, tests, docs, and the files that editors keep beside the edited one. */
const ignored = /^(node_modules|dist|maps|\.cache|\.git)$|\.test\.tsx?$|\.md$|~$|^\.#|\.sw[a-z]$|\.tmp$|^4913$/;

/**
 * Reports every change below a folder, by one watch per folder. Node's own recursive watch follows single files on
 * Linux, and so misses those that an editor writes beside the old one and renames.
 *
 * @param changed - called with the path of a changed, new or deleted file or folder
 * @returns stops watching
 */
export function watchFolder(folder: string, changed: (path: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();

  const forget = (gone: string): void => {
    for (const [path, watcher] of watchers)
      if (path === gone || path.startsWith(gone + sep)) {
        watcher.close();
        watchers.delete(path);
      }
  };
  const follow = (path: string): void => {
    forget(path);
    let entries;
    try {
      watchers.set(
        path,
        watch(path, onChange.bind(undefined, path)).on('error', () => forget(path)),
      );
      entries = readdirSync(path, { withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // Deleted meanwhile; its parent reports that.
      return forget(path);
    }
    for (const entry of entries) if (entry.isDirectory() && !ignored.test(entry.name)) follow(join(path, entry.name));
  };
  const onChange = (parent: string, event: string, name: string | null): void => {
    if (name === null || ignored.test(name)) return;
    const path = join(parent, name);
    // A folder was created, replaced or deleted.
    if (event === 'rename') {
      const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
      if (isFolder) follow(path);
      else forget(path);
    }
    changed(path);
  };

  follow(folder);
  return () => forget(folder);
}
