import { Link } from '@clinic/app-kit';
import { roleLabels, type Role, type User } from '@clinic/contracts';
import { Button, ButtonLink, Dialog, EmailText } from '@clinic/ui';
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
          Anyone can register with the address <EmailText email={user.email} />. Until the person opens the link in our
          email, we can’t be sure the account is theirs, so it can’t become {roleLabels[role]}.
        </p>
        <p>
          Ask {name} to open that link, then give them the role. Or invite them: they’ll confirm the address, and get
          the role and the profile together.
        </p>
      </div>
    </Dialog>
  );
}
