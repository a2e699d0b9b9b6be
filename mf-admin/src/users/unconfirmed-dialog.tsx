import { Link } from '@clinic/app-kit';
import { roleLabels, type Role, type User } from '@clinic/contracts';
import { Button, ButtonLink, Dialog } from '@clinic/ui';
import { fullName } from './user-names.ts';

interface UnconfirmedDialogProps {
  readonly user: User;
  readonly role: Role;
  readonly onClose: () => void;
}

/** Explains why somebody can't get a staff role yet, and what to do. */
export function UnconfirmedDialog({ user, role, onClose }: UnconfirmedDialogProps) {
  const name = fullName(user);
  return (
    <Dialog
      open
      title={`${name} hasn’t confirmed their email address`}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Go back
          </Button>
          <ButtonLink
            component={Link}
            icon="mail"
            to={`/dash/staff/add?role=${role}&email=${encodeURIComponent(user.email)}`}
          >
            Invite them instead
          </ButtonLink>
        </>
      }
    >
      <div className="grid gap-3">
        <p>
          Anybody can register with the address {user.email}. Until the person opens the link in our mail, nobody knows
          whether this account is theirs, so it can’t become {roleLabels[role]}.
        </p>
        <p>
          Ask {name} to open that link, and give them the role then. Or invite them: the invitation asks them to confirm
          the address, and role and profile begin together.
        </p>
      </div>
    </Dialog>
  );
}
