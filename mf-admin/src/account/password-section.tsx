import { notify, useSession, type SignInMethod } from '@clinic/app-kit';
import { Alert, Button, PasswordField } from '@clinic/ui';
import { useState, type SyntheticEvent } from 'react';
import { passwordHint, passwordProblem } from './password-policy.ts';
import { Section } from './section.tsx';
import { useAccountAction } from './use-account-action.ts';

/** The password: changed, or set by somebody who only used Google so far. */
export function PasswordSection() {
  const { user, role } = useSession();
  const staff = (user?.held?.role ?? role) !== 'patient';
  const { busy, failure, run } = useAccountAction();
  const [methods, setMethods] = useState<readonly SignInMethod[]>();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string>();
  const action = methods && !methods.includes('password') ? 'Set a password' : 'Change my password';

  async function begin(): Promise<void> {
    setMethods(await run((account) => account.confirmIdentity()));
  }

  async function save(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const problem = passwordProblem(password, staff);
    setWrong(problem);
    if (problem !== undefined || !(await run((account) => account.changePassword(password)))) return;
    notify.success('Your new password is set', 'You are logged out everywhere else.');
    setMethods(undefined);
    setPassword('');
  }

  return (
    <Section id="password" title="Password" text="A new password logs you out everywhere else.">
      {failure && <Alert kind="error" title="The password was not changed">{failure}</Alert>}
      {methods ? (
        <form method="post" noValidate aria-label={action} className="grid gap-4" onSubmit={(event) => void save(event)}>
          <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordField
            label="New password" autoComplete="new-password" required hint={passwordHint(staff)} error={wrong} value={password}
            onChange={({ target }) => {
              setPassword(target.value);
              // Once something was said, each key checks again.
              if (wrong !== undefined) setWrong(passwordProblem(target.value, staff));
            }}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={busy}>{action}</Button>
            <Button variant="ghost" onClick={() => setMethods(undefined)}>Go back</Button>
          </div>
        </form>
      ) : <div><Button variant="soft" icon="edit" busy={busy} onClick={() => void begin()}>Change my password</Button></div>}
    </Section>
  );
}
