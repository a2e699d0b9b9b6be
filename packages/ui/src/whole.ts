// What '@clinic/ui' was before tables had a module of their own. The shell provides it to remotes of that time.
export * from './index.ts';
export * from './tables.ts';
