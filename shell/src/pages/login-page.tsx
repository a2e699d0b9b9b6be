import {
  draftOf,
  Link,
  Navigate,
  notify,
  useConfig,
  useLocation,
  useNavigate,
  usePageTitle,
  useSession,
  type UseSession,
} from '@clinic/app-kit';
import { authCode, reasonFor } from '@clinic/app-kit/host';
import { minPasswordLength } from '@clinic/contracts';
import { Alert, Button, PasswordField, TextField } from '@clinic/ui';
import { lazy, Suspense, useEffect, useState } from 'react';
import { rememberedPlace } from '../guards/remembered-place.ts';
import { AuthCard } from './auth-card.tsx';
import { capitalised } from './capitalised.ts';
import { ForgotPassword } from './forgot-password.tsx';
import { GoogleButton } from './google-button.tsx';
import { all, atLeast, required, useFields, useFieldsDraft, type Fields } from './use-fields.ts';
import { useGoogleSignIn } from './use-google-sign-in.tsx';

const DemoAccounts = lazy(async () => ({ default: (await import('../demo/demo-accounts.tsx')).DemoAccounts }));

const rules = {
  email: required('Email is required'),
  password: all(
    required('Password is required'),
    atLeast(minPasswordLength, `Password must be at least ${minPasswordLength} characters`),
  ),
};

/** The identity provider's codes for an email and password that don't go together. */
const wrongPassword: ReadonlySet<string | undefined> = new Set([
  'wrong-password',
  'invalid-credential',
  'invalid-login-credentials',
  'user-not-found',
]);

/** Why a guard sent people here. */
function WhyHere({ ended, remembered }: { readonly ended: UseSession['ended']; readonly remembered: boolean }) {
  if (ended === 'disabled') return <Alert kind="error">Your account has been switched off. Contact the clinic.</Alert>;
  if (ended === 'everywhere')
    return (
      <Alert>You’ve been logged out on all devices. {remembered && 'Log in again to continue where you were.'}</Alert>
    );
  return (
    ended === 'expired' && remembered && <Alert>Your session has ended. Log in again to continue where you were.</Alert>
  );
}

/** /login; its texts are fixed (docs/product.md, Texts). */
export function LoginPage() {
  usePageTitle('Login');
  const { user, ended, signIn, prepareSignIn } = useSession();
  const { demoMode } = useConfig();
  const { state } = useLocation();
  const navigate = useNavigate();
  const remembered = rememberedPlace(state);
  const google = useGoogleSignIn(remembered ?? '/');
  const form = useFields({ email: '', password: '', ...draftOf<{ email: string }>('login') }, rules);
  useFieldsDraft('login', form.values);
  // From the first press on this page decides where to go, not the redirect for visitors who are already signed in.
  const [acting, setActing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [asksForReset, setAsksForReset] = useState(false);
  // Removes the last failure when another attempt starts.
  const [takeBack, setTakeBack] = useState<() => void>();

  useEffect(prepareSignIn, [prepareSignIn]);

  if (user && !acting) return <Navigate to={remembered ?? '/dash'} replace />;

  async function logIn(email: string, password: string): Promise<void> {
    if (busy) return;
    takeBack?.();
    setActing(true);
    setBusy(true);
    try {
      await signIn(email, password);
      notify.success('Logged in successfully');
      await navigate(remembered ?? '/dash', { replace: true });
    } catch (error) {
      console.error('Login failed', error);
      const dismissal = notify.error(`Login failed: ${reasonFor(error)}`);
      setTakeBack(() => dismissal);
      // Also beside the field: the notification may be far from it, and can be dismissed.
      if (wrongPassword.has(authCode(error))) form.showErrors({ password: capitalised(reasonFor(error)) });
      setActing(false);
      setBusy(false);
    }
  }

  return (
    <AuthCard
      title="Welcome Back Log In"
      text="See your appointments and orders."
      after={
        <>
          New here?{' '}
          <Link to="/register" state={state} className="font-semibold text-primary underline underline-offset-4">
            Create an account
          </Link>
        </>
      }
    >
      <WhyHere ended={ended} remembered={remembered !== undefined} />
      <LoginForm
        form={form}
        busy={busy}
        onLogIn={(email, password) => void logIn(email, password)}
        onForgot={() => setAsksForReset(true)}
      />
      {demoMode && (
        <Suspense fallback={<div className="h-[10rem]" />}>
          <DemoAccounts onChoose={(email, password) => form.fill({ email, password })} />
        </Suspense>
      )}
      <OrGoogle
        onStart={() => {
          setActing(true);
          // Not after success: this page stays while the next one loads.
          void google.start().then((done) => {
            if (!done) setActing(false);
          });
        }}
      />
      {google.chooser}
      {asksForReset && <ForgotPassword email={form.values.email} onClose={() => setAsksForReset(false)} />}
    </AuthCard>
  );
}

interface LoginFormProps {
  readonly form: Fields<'email' | 'password'>;
  readonly busy: boolean;
  readonly onLogIn: (email: string, password: string) => void;
  readonly onForgot: () => void;
}

function LoginForm({ form, busy, onLogIn, onForgot }: LoginFormProps) {
  // method="post": if the form is sent before its script runs, the password must not end up in the URL.
  return (
    <form
      method="post"
      noValidate
      className="grid gap-5"
      onSubmit={(event) => form.submit(event, ({ email, password }) => onLogIn(email, password))}
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...form.field('email')}
      />
      <div className="grid gap-1">
        <PasswordField label="Password" autoComplete="current-password" required {...form.field('password')} />
        <button
          type="button"
          className="cursor-pointer justify-self-end py-1.5 text-sm font-semibold text-primary underline-offset-4 hover:underline"
          onClick={onForgot}
        >
          Forgot password?
        </button>
      </div>
      <Button type="submit" size="lg" block busy={busy}>
        Sign In
      </Button>
    </form>
  );
}

function OrGoogle({ onStart }: { readonly onStart: () => void }) {
  return (
    <div className="grid gap-3">
      <p className="flex items-center gap-4 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <GoogleButton onClick={onStart} />
      <p className="text-xs text-muted">
        If you registered with a password and never confirmed your email, signing in with Google replaces that password.
      </p>
    </div>
  );
}
