import { notify, useConfig, useSession, type SignInMethod } from '@clinic/app-kit';
import { Alert, Button, StatusBadge } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useState } from 'react';
import { Section } from './section.tsx';
import { useAccountAction } from './use-account-action.ts';

/**
 * Whether the person can log in with Google. Only the identity provider knows, and only answers somebody who has just
 * signed in.
 */
export function GoogleSection() {
  const { user } = useSession();
  const { emulator } = useConfig();
  const { busy, failure, run } = useAccountAction();
  const [methods, setMethods] = useState<readonly SignInMethod[]>();
  const [confirming, setConfirming] = useState<'link' | 'unlink'>();

  async function begin(): Promise<void> {
    setMethods(await run((account) => account.confirmIdentity()));
  }

  async function link(): Promise<void> {
    setConfirming(undefined);
    const email = user?.email ?? '';
    // The emulator has no Google window: it accepts the person's own address.
    const choose = () => Promise.resolve({ email, name: `${user?.firstName ?? ''} ${user?.lastName ?? ''}`.trim() });
    const now = await run((account) => account.linkGoogle(choose));
    if (!now) return;
    setMethods(now);
    notify.success('You can now log in with Google', 'You’ve been logged out everywhere else.');
  }

  async function unlink(): Promise<void> {
    setConfirming(undefined);
    const now = await run((account) => account.unlinkGoogle());
    if (!now) return;
    setMethods(now);
    notify.success('You can’t log in with Google any more');
  }

  return (
    <Section id="google" title="Google" text="Log in with your Google account instead of a password.">
      {failure && (
        <Alert kind="error" title="That didn’t work">
          {failure}
        </Alert>
      )}
      {!methods && (
        <div>
          <Button variant="soft" icon="user" busy={busy} onClick={() => void begin()}>
            Show and change
          </Button>
        </div>
      )}
      {methods && (
        <Linking
          methods={methods}
          busy={busy}
          onLink={() => (emulator ? setConfirming('link') : void link())}
          onUnlink={() => setConfirming('unlink')}
        />
      )}
      <ConfirmDialog
        open={confirming === 'link'}
        title="Link a Google account"
        confirmLabel="Link it"
        onConfirm={() => void link()}
        onCancel={() => setConfirming(undefined)}
      >
        This is a demo, so Google isn’t involved. We’ll link a made-up Google account with the address {user?.email}.
      </ConfirmDialog>
      <ConfirmDialog
        open={confirming === 'unlink'}
        title="Unlink Google?"
        confirmLabel="Unlink Google"
        onConfirm={() => void unlink()}
        onCancel={() => setConfirming(undefined)}
      >
        You’ll then log in with your password only.
      </ConfirmDialog>
    </Section>
  );
}

interface LinkingProps {
  readonly methods: readonly SignInMethod[];
  readonly busy: boolean;
  readonly onLink: () => void;
  readonly onUnlink: () => void;
}

function Linking({ methods, busy, onLink, onUnlink }: LinkingProps) {
  const linked = methods.includes('google');
  const hasPassword = methods.includes('password');
  return (
    <div className="flex flex-wrap items-center gap-4">
      <StatusBadge status={linked ? 'Linked' : 'Not linked'} tone={linked ? 'green' : 'grey'} />
      {linked ? (
        <Button
          variant="soft"
          icon="x"
          busy={busy}
          aria-disabled={!hasPassword}
          onClick={() => {
            if (hasPassword) onUnlink();
          }}
        >
          Unlink Google
        </Button>
      ) : (
        <Button variant="soft" icon="plus" busy={busy} onClick={onLink}>
          Link my Google account
        </Button>
      )}
      {linked && !hasPassword && (
        <p className="text-sm text-muted">Google is your only way to log in. Set a password first.</p>
      )}
    </div>
  );
}
