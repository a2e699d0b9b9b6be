import { useChange } from '@clinic/app-kit/records';
import { knownLabel } from '@clinic/contracts/known-words';
import { rightLabels, rights, type Right, type User } from '@clinic/contracts';
import { Alert } from '@clinic/ui';
import { Switch } from '@clinic/ui/switch';
import { Choice } from './choice.tsx';
import { named } from './named-account.ts';
import { fullName } from './user-names.ts';

const whatFor: Readonly<Record<Right, string>> = {
  reception: 'everyone’s calendar, bookings and the waitlist',
  stock: 'the medicines, without orders',
};

const labelOf = (right: string): string => knownLabel(rightLabels, right);

/** What somebody may do beside their role; it takes effect in their open pages at once. */
export function RightsChoice({ user }: { readonly user: User }) {
  const name = fullName(user);
  const { mutate, isPending, variables } = useChange('changeRights', {
    invalidates: ['listUsers'],
    success: ({ rights: now = [] }) =>
      now.length === 0 ? `${name} has no rights beside the role` : `${name} now has: ${now.map(labelOf).join(', ')}`,
    undo: (_, { body: { right, given } }) => ({
      call: 'changeRights',
      input: { ...named(user), body: { right, given: !given } },
      done: given ? `${name} no longer has: ${rightLabels[right]}` : `${name} has again: ${rightLabels[right]}`,
    }),
  });
  const held = (right: Right): boolean =>
    isPending && variables.body.right === right ? variables.body.given : user.rights?.includes(right) === true;
  return (
    <Choice title="What they may do beside their role" text="For people who work here without a role that lets them.">
      {user.emailVerified === false ? (
        <Alert kind="info">Once they’ve confirmed their email address.</Alert>
      ) : (
        <div>
          {rights.map((right) => (
            <Switch
              key={right}
              label={`${rightLabels[right]}: ${whatFor[right]}`}
              checked={held(right)}
              onChange={(given: boolean) => {
                // Each press is its own change: another waits for its answer.
                if (!isPending) mutate({ ...named(user), body: { right, given } });
              }}
            />
          ))}
        </div>
      )}
    </Choice>
  );
}
