import { notify, useSession, type SignInMethod } from '@clinic/app-kit';
import { isStaff } from '@clinic/contracts';
import { Alert, Button, PasswordField } from '@clinic/ui';
import { useState, type SyntheticEvent } from 'react';
import { FormButtons } from './form-buttons.tsx';
import { Section } from './section.tsx';
import { useAccountAction } from './use-account-action.ts';

/** The password: changed, or set by somebody who only used Google before. */
export function PasswordSection() {
  const { user } = useSession();
  const staff = user !== undefined && isStaff(user);
  const { busy, failure, run } = useAccountAction();
  const [begun, setBegun] = useState<{ readonly methods: readonly SignInMethod[]; readonly rule: string }>();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string>();
  const action = begun && !begun.methods.includes('password') ? 'Set a password' : 'Change my password';

  async function begin(): Promise<void> {
    setBegun(
      await run(async (account) => {
        const methods = await account.confirmIdentity();
        return methods && { methods, rule: account.passwordRule(staff) };
      }),
    );
  }

  async function save(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (password === '') return setWrong('Password is required');
    const changed = await run(async (account) => {
      const fault = await account.passwordFault(password, staff);
      setWrong(fault);
      return fault === undefined && account.changePassword(password);
    });
    if (!changed) return;
    notify.success('Your new password is set', 'You’ve been logged out everywhere else.');
    setBegun(undefined);
    setPassword('');
  }

  return (
    <Section id="password" title="Password" text="A new password logs you out everywhere else.">
      {failure && (
        <Alert kind="error" title="We couldn’t finish changing your password">
          {failure}
        </Alert>
      )}
      {begun ? (
        <form
          method="post"
          noValidate
          aria-label={action}
          className="grid gap-4"
          onSubmit={(event) => void save(event)}
        >
          <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            required
            hint={begun.rule}
            error={wrong}
            value={password}
            onChange={({ target }) => {
              setPassword(target.value);
              setWrong(undefined);
            }}
          />
          <FormButtons label={action} busy={busy} onBack={() => setBegun(undefined)} />
        </form>
      ) : (
        <div>
          <Button variant="soft" icon="edit" busy={busy} onClick={() => void begin()}>
            Change my password
          </Button>
        </div>
      )}
    </Section>
  );
}
