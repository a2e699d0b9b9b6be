// What browsers may load: no schemas, so no validator.
export * from './access.ts';
export * from './brand.ts';
export * from './clinic-time.ts';
export * from './ids.ts';
export * from './limits.ts';
export * from './money.ts';
export * from './pages.ts';
export * from './problems.ts';
export * from './remotes.ts';
export * from './roles.ts';
export * from './route.ts';
export * from './transitions.ts';
export type * from './calls.ts';
export type { OpenSession, Session, SessionUser, User } from './session/schemas.ts';
export type { Look } from './schemas/looks.ts';
export type { HistoryEntry, RecordEvent } from './schemas/history.ts';
