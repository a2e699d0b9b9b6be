import { internal, type CopyRules, type DeletionRules, type Person } from '@clinic/service-kit';
import type { EntryRecord } from '../entries/entry-record.ts';

/** A person's entries, for copy and deletion alike: by account, since an address may be somebody else's by now. */
export const entriesBy = ({ id }: Person) => (id === undefined ? [] : [{ authorId: id }]);

/** Deleting the author: what was written stays, by whom doesn't. A field that is missing here doesn't compile. */
export const authorDeleted: DeletionRules<EntryRecord> = {
  _id: 'kept',
  title: 'kept',
  note: 'kept',
  author: 'emptied',
  authorId: 'kept',
  writtenAt: 'kept',
};

/** The name of each field in the copy of the author's data, or why it isn't in it. */
export const entryInCopy: CopyRules<EntryRecord> = {
  _id: '_id',
  title: 'title',
  note: 'note',
  author: 'author',
  authorId: internal('the account’s id; the account is in the copy of svc-identity'),
  writtenAt: 'writtenAt',
};
