import { knownLabel } from '@clinic/contracts/known-words';
import { notify, useConfig, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { rightLabels, rights, roleLabels, type Role, type User } from '@clinic/contracts';
import { ConfirmDialog } from '@clinic/ui/tables';
import { lazy, Suspense, useCallback, useRef, useState, type ReactNode } from 'react';
import { comingAppointments } from '../leaving/coming-appointments.ts';
import { profileOf } from '../staff/profile-of.ts';
import type { Joining } from '../staff/new-staff-dialog.tsx';
import { named, standing } from './named-account.ts';
import { fullName } from './user-names.ts';

const LeavingDialog = lazy(async () => ({ default: (await import('../leaving/leaving-dialog.tsx')).LeavingDialog }));
const NewStaffDialog = lazy(async () => ({ default: (await import('../staff/new-staff-dialog.tsx')).NewStaffDialog }));
const UnconfirmedDialog = lazy(async () => ({ default: (await import('./unconfirmed-dialog.tsx')).UnconfirmedDialog }));

export interface StaffChanges {
  /**
   * Changes a user's role, after one question: about dependent records, or for confirmation. Rejects if the change
   * isn't made.
   */
  readonly changeRole: (user: User, newRole: Role) => Promise<void>;
  /** Switches an account off, like {@link StaffChanges.changeRole}; {@link endsWithAccess} can't be undone. */
  readonly switchOff: (user: User) => Promise<void>;
  /** Render it on the page: it asks what a change needs. */
  readonly dialogs: ReactNode;
}

/** Asks the question before a change. Resolves when the change is made or confirmed, and rejects if the admin cancels. */
type Ask = (dialogOf: (done: () => void, cancel: () => void) => ReactNode) => Promise<void>;

/** The admin cancelled: not an error. */
const kept = (): DOMException => new DOMException('Left as it is', 'AbortError');

/**
 * Staff changes. A leaving doctor's appointments are handed over; a new member of staff gets a profile with the role.
 */
export function useStaffChanges(): StaffChanges {
  const { questions, ask } = useQuestions();
  const settle = useSettle(ask);
  /** Users of whom nothing but the role changed: no profile was created, no appointment handed over. */
  const undoable = useRef(new Set<string>());
  const { mutateAsync: sendRole } = useChange('changeRole', {
    invalidates: ['listUsers'],
    success: (user) => `${fullName(user)} is now ${knownLabel(roleLabels, user.role)}`,
    undo(user, { params, body: { seen } }) {
      if (!seen || !undoable.current.has(params.id)) return undefined;
      const ended = rights.filter((right) => seen.rights?.includes(right));
      return {
        call: 'changeRole',
        input: { params, body: { newRole: seen.role, rights: ended, seen: standing(user) } },
        done: `${fullName(user)} is ${roleLabels[seen.role]} again${ended.length > 0 ? `, with: ${labelsOf(ended)}` : ''}`,
      };
    },
  });
  const { mutateAsync: sendAccess } = useChange('changeAccess', {
    invalidates: ['listUsers'],
    success: (user) => `${fullName(user)} can’t log in any more`,
  });

  const changeRole = useCallback(
    async (user: User, newRole: Role): Promise<void> => {
      undoable.current.delete(user._id);
      // The server rejects it, too; here it says what to do instead.
      if (newRole !== 'patient' && user.emailVerified === false)
        return ask((_, cancel) => <UnconfirmedDialog user={user} role={newRole} onClose={cancel} />);
      const act = (): Promise<unknown> =>
        sendRole({ params: { id: user._id }, body: { newRole, seen: standing(user) } });
      if (
        (newRole === 'doctor' || newRole === 'pharmacist') &&
        !(await loadOrNotify('We couldn’t check if they have a profile', profileOf(user, newRole)))
      ) {
        return settle(user, `Make them ${newRole}`, act, { joining: { user, role: newRole } });
      }
      return settle(user, user.role === 'doctor' ? 'Remove the role' : 'Change the role', act, {
        async confirm() {
          await ask((done, cancel) => <RoleQuestion user={user} role={newRole} onConfirm={done} onCancel={cancel} />);
          undoable.current.add(user._id);
        },
      });
    },
    [ask, sendRole, settle],
  );

  const switchOff = useCallback(
    (user: User): Promise<void> =>
      settle(user, 'Switch the account off', () => sendAccess({ ...named(user), body: { disabled: true } }), {
        confirm: () => ask((done, cancel) => <AccessQuestion user={user} onConfirm={done} onCancel={cancel} />),
      }),
    [ask, sendAccess, settle],
  );

  return {
    changeRole,
    switchOff,
    dialogs: questions.map(({ id, dialog }) => <Suspense key={id}>{dialog}</Suspense>),
  };
}

interface Question {
  readonly id: number;
  readonly dialog: ReactNode;
}

/** The open questions, oldest first. */
function useQuestions(): { readonly questions: readonly Question[]; readonly ask: Ask } {
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  const last = useRef(0);
  const ask = useCallback<Ask>(
    (dialogOf) =>
      new Promise((resolve, reject) => {
        last.current += 1;
        const id = last.current;
        const close = (settle: () => void) => () => {
          setQuestions((open) => open.filter((other) => other.id !== id));
          settle();
        };
        const dialog = dialogOf(
          close(resolve),
          close(() => reject(kept())),
        );
        setQuestions((open) => [...open, { id, dialog }]);
      }),
    [],
  );
  return { questions, ask };
}

/**
 * Asks once about everything that depends on a change, and makes it: a doctor's appointments are handed over, a missing
 * profile is created; if there is neither, `confirm` asks for confirmation.
 */
function useSettle(ask: Ask) {
  const { clinicTimeZone } = useConfig();
  return useCallback(
    async (
      user: User,
      change: string,
      act: () => Promise<unknown>,
      { joining, confirm }: { readonly joining?: Omit<Joining, 'act'>; readonly confirm?: () => Promise<void> } = {},
    ): Promise<void> => {
      if (user.role === 'doctor') {
        const coming = await loadOrNotify(
          'We couldn’t load this doctor’s appointments',
          comingAppointments(user, clinicTimeZone),
        );
        if (coming.length > 0)
          return ask((done, cancel) => (
            <LeavingDialog
              leaving={{ account: user, name: fullName(user), coming, change, act, joining }}
              onDone={done}
              onCancel={cancel}
            />
          ));
      }
      if (joining)
        return ask((done, cancel) => <NewStaffDialog joining={{ ...joining, act }} onDone={done} onCancel={cancel} />);
      await confirm?.();
      await act();
    },
    [ask, clinicTimeZone],
  );
}

interface QuestionProps {
  readonly user: User;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** What doesn't come back when an account is switched on again. */
export const endsWithAccess =
  'Their places on the waitlist, the address of their calendar and open invitations end, and don’t come back when it’s switched on again.';

function AccessQuestion({ user, onConfirm, onCancel }: QuestionProps) {
  return (
    <ConfirmDialog
      open
      title={`Switch off the account of ${fullName(user)}?`}
      confirmLabel="Yes, switch it off"
      cancelLabel="Keep it on"
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {endsWithAccess}
    </ConfirmDialog>
  );
}

/** The names of rights, those of a newer service included. */
const labelsOf = (held: readonly string[]): string => held.map((right) => knownLabel(rightLabels, right)).join(', ');

/**
 * A role change takes effect in the person's open pages at once, so it needs confirmation even without dependent
 * records.
 */
function RoleQuestion({ user, role, onConfirm, onCancel }: QuestionProps & { readonly role: Role }) {
  const { rights: ended = [] } = user;
  return (
    <ConfirmDialog
      open
      title={`Change ${fullName(user)} to ${roleLabels[role]}?`}
      confirmLabel={`Yes, change to ${roleLabels[role]}`}
      cancelLabel={`Keep ${knownLabel(roleLabels, user.role)}`}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      What {fullName(user)} can see and do changes straight away, including where they’re logged in now.
      {ended.length > 0 && ` They no longer have: ${labelsOf(ended)}.`} Open invitations to other roles
      {user.role === 'admin' && ', and those they sent,'} end; Undo doesn’t bring them back.
    </ConfirmDialog>
  );
}

/** Awaits a result; notifies the admin if it couldn't be loaded. */
async function loadOrNotify<T>(text: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    notify.error(text, (error as ApiProblem).message);
    throw error;
  }
}
