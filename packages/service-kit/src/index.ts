export { assertOwner } from './access-control.ts';
export { file, page, streamed, type BatchMap, type ListAnswer, type PageTotal } from './answers.ts';
export type { ServiceContext } from './context.ts';
export { changeStream, type ChangeStreamPlan } from './change-stream.ts';
export { cookieOf } from './cookies.ts';
export { accountOfEmail, accountsOfEmails, forgetContact, type JoinRecords, type KnownPerson } from './contacts.ts';
export { createApp } from './create-app.ts';
export type { IndexPlan } from './database.ts';
export { defineService, type ContextFor, type Rejection, type ServiceDefinition } from './definition.ts';
export { isDuplicateKey, unavailable } from './error-mapping.ts';
export { EventStream } from './event-stream.ts';
export { emptied, erasureHandler, forgetInHistory, type Erased, type ForgottenPerson } from './erase-person.ts';
export { exported, exportedEvents, exportedPerson, type ExportedPerson, type ExportedThing } from './export-person.ts';
export { eventFilter, listEvents, type EventQuery, type HistoryShape } from './event-list.ts';
export {
  appendEvent,
  appendEvents,
  readHistory,
  type Change,
  type HistoryEvent,
  type HistoryQuestion,
} from './events.ts';
export { once } from './idempotency.ts';
export { internalHeaders, internalSecret } from './internal-calls.ts';
export type { Logger } from './log.ts';
export { exportedLooks, forgetLooks } from './looks/keep-looks.ts';
export { listLooks } from './looks/list-looks.ts';
export { looksWritten, noteLooks, type LookedAt, type LookNotes } from './looks/note-looks.ts';
export { newId } from './new-id.ts';
export { escapeRegex, noRows, readPage, type PagePlan, type PageQuery, type SortSpec } from './paging.ts';
export { countOfDay, takeUserLock, takeUserLockFor } from './person-turn.ts';
export { passThrough } from './pass-through.ts';
export { ProblemError, type ProblemExtras } from './problem-error.ts';
export { dayExpression, daysOf, instantsOf, reportPeriod, type ReportPeriod } from './report-period.ts';
export type { Answer, CallIdsOf, Handler, Handlers, IdToken, ServiceRequest } from './requests.ts';
export { rewriteRecords } from './rewrite-records.ts';
export { keptDays, type RetentionRule } from './retention.ts';
export { runService } from './run-service.ts';
export { applySchemaChanges, type SchemaChange } from './schema-changes.ts';
export { seedDemoOnce } from './seeding.ts';
export {
  cookieNames,
  longestTokenLife,
  sessionToken,
  type SessionCaller,
  type SessionClaims,
} from './session-claims.ts';
export type { SessionSource } from './session-verifier.ts';
export {
  choice,
  cookiesAreSecure,
  flag,
  httpUrl,
  httpUrls,
  integer,
  optionalFlag,
  optionalText,
  origins,
  SettingsError,
  text,
  timeZone,
  type BaseSettings,
  type Setting,
  type SettingsOf,
  type SettingsSpec,
} from './settings.ts';
export { staffPath, type OnStaff, type StaffAccount } from './staff-list.ts';
export { startService, type RunningService, type StartOptions } from './start-service.ts';
export {
  addToRollups,
  daysOfMonth,
  keepRollups,
  replaceRollups,
  type Rollup,
  type RollupChange,
  type RollupPlan,
} from './tallies.ts';
export { rollupShard } from './tally-slots.ts';
export { feedMessage, feedPath, heartbeatEvery, type FeedUpdate } from './version-feed.ts';
export { VersionTracker } from './version-tracker.ts';
