import { knownLabel } from '@clinic/contracts/known-words';
import { notify, useConfig, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { roleLabels, type Role, type User } from '@clinic/contracts';
import { ConfirmDialog } from '@clinic/ui/tables';
import { lazy, Suspense, useCallback, useRef, useState, type ReactNode } from 'react';
import { comingAppointments } from '../leaving/coming-appointments.ts';
import { hasProfile } from '../staff/has-profile.ts';
import type { Joining } from '../staff/new-staff-dialog.tsx';
import { named } from './named-account.ts';
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
  /** Switches an account off, like {@link StaffChanges.changeRole}. */
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
  /** Former roles by user, where nothing but the role changed: no profile was created, no appointment handed over. */
  const formerRoles = useRef(new Map<string, Role>());
  const { mutateAsync: sendRole } = useChange('changeRole', {
    invalidates: ['listUsers'],
    success: (user) => `${fullName(user)} is now ${knownLabel(roleLabels, user.role)}`,
    undo(user, { params }) {
      const newRole = formerRoles.current.get(params.id);
      return (
        newRole && {
          call: 'changeRole',
          input: { params, body: { newRole } },
          done: `${fullName(user)} is ${roleLabels[newRole]} again`,
        }
      );
    },
  });
  const { mutateAsync: sendAccess } = useChange('changeAccess', {
    invalidates: ['listUsers'],
    success: (user) => `${fullName(user)} can’t log in any more`,
    // A doctor's appointments may have been handed over, which stays so.
    undo: (user) =>
      user.role === 'doctor'
        ? undefined
        : {
            call: 'changeAccess',
            input: { ...named(user), body: { disabled: false } },
            done: `${fullName(user)} can log in again`,
          },
  });

  const changeRole = useCallback(
    async (user: User, newRole: Role): Promise<void> => {
      formerRoles.current.delete(user._id);
      // The server rejects it, too; here it says what to do instead.
      if (newRole !== 'patient' && user.emailVerified === false)
        return ask((_, cancel) => <UnconfirmedDialog user={user} role={newRole} onClose={cancel} />);
      const act = (): Promise<unknown> => sendRole({ params: { id: user._id }, body: { newRole } });
      if (
        (newRole === 'doctor' || newRole === 'pharmacist') &&
        !(await loadOrNotify('We couldn’t check if they have a profile', hasProfile(user, newRole)))
      ) {
        return settle(user, `Make them ${newRole}`, act, { joining: { user, role: newRole } });
      }
      return settle(user, user.role === 'doctor' ? 'Remove the role' : 'Change the role', act, {
        async confirm() {
          await ask((done, cancel) => <RoleQuestion user={user} role={newRole} onConfirm={done} onCancel={cancel} />);
          formerRoles.current.set(user._id, user.role);
        },
      });
    },
    [ask, sendRole, settle],
  );

  const switchOff = useCallback(
    (user: User): Promise<void> =>
      settle(user, 'Switch the account off', () => sendAccess({ ...named(user), body: { disabled: true } })),
    [sendAccess, settle],
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
          comingAppointments(user.email, clinicTimeZone),
        );
        if (coming.length > 0)
          return ask((done, cancel) => (
            <LeavingDialog
              leaving={{ email: user.email, name: fullName(user), coming, change, act, joining }}
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

interface RoleQuestionProps {
  readonly user: User;
  readonly role: Role;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/**
 * A role change takes effect in the person's open pages at once, so it needs confirmation even without dependent
 * records.
 */
function RoleQuestion({ user, role, onConfirm, onCancel }: RoleQuestionProps) {
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
