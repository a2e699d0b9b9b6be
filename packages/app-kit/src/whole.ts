// What '@clinic/app-kit' was before lists and changes had a module of their own. The shell provides it to remotes of that time.
export * from './index.ts';
export * from './records.ts';
