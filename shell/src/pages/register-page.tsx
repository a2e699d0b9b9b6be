import {
  draftOf,
  Link,
  Navigate,
  notify,
  useConfig,
  useLocation,
  useNavigate,
  usePageTitle,
  useSearchParams,
  useSession,
} from '@clinic/app-kit';
import { reasonFor, type NewUser } from '@clinic/app-kit/host';
import { passwordRule } from '@clinic/contracts/password-policy';
import { Button, TextField } from '@clinic/ui';
import { lazy, Suspense, useEffect, useState } from 'react';
import { rememberedPlace } from '../guards/remembered-place.ts';
import { PageFallback } from '../routing/page-fallback.tsx';
import { AuthCard } from './auth-card.tsx';
import { capitalised } from './capitalised.ts';
import { acceptsPassword, lengthRule } from './password-rules.ts';
import { ContactFields, NameFields, NewPasswordField, PersonForm, showRejected } from './person-fields.tsx';
import { profileRules } from './profile-rules.ts';
import { all, isEmail, required, useFields, useFieldsDraft, type Fields } from './use-fields.ts';

const InvitationPage = lazy(async () => ({
  default: (await import(/* webpackChunkName: "invitation" */ './invitation/invitation-page.tsx')).InvitationPage,
}));

const empty = { firstName: '', lastName: '', email: '', phone: '', dateOfBirth: '', password: '' } satisfies NewUser & {
  password: string;
};
type Field = keyof typeof empty;

const rules = { ...profileRules, email: all(required('Email is required'), isEmail), password: lengthRule() };

/** /register; its texts are fixed (docs/product.md, Texts). With `?invitation=` for an invited member of staff. */
export function RegisterPage() {
  usePageTitle('Create Your Account');
  const [search] = useSearchParams();
  const token = search.get('invitation');
  return token === null ? (
    <Registration />
  ) : (
    <Suspense fallback={<PageFallback />}>
      <InvitationPage token={token} />
    </Suspense>
  );
}

function Registration() {
  const { user, createAccount, prepareSignIn } = useSession();
  const { emulator } = useConfig();
  const { state } = useLocation();
  const navigate = useNavigate();
  const form = useFields<Field>({ ...empty, ...draftOf<typeof empty>('register') }, rules);
  useFieldsDraft('register', form.values);
  const [busy, setBusy] = useState(false);
  const [acting, setActing] = useState(false);
  // Removes the last failure when another attempt starts.
  const [takeBack, setTakeBack] = useState<() => void>();

  useEffect(prepareSignIn, [prepareSignIn]);

  if (user && !acting) return <Navigate to="/dash" replace />;

  async function save({ password, ...profile }: typeof form.values): Promise<void> {
    if (busy) return;
    takeBack?.();
    setActing(true);
    setBusy(true);
    try {
      if (!(await acceptsPassword(form, password, { staff: false, email: profile.email.trim() }))) {
        setActing(false);
        return setBusy(false);
      }
      await createAccount(profile, password);
      notify.success(
        'User created and saved to DB',
        emulator ? undefined : 'We’ve sent you a link to confirm your email address.',
      );
      const from = rememberedPlace(state);
      await navigate('/', { replace: true, state: { registered: true, ...(from !== undefined && { from }) } });
    } catch (error) {
      console.error('Registration failed', error);
      const dismissal = notify.error('Something went wrong', capitalised(reasonFor(error)));
      setTakeBack(() => dismissal);
      showRejected(form, error);
      setActing(false);
      setBusy(false);
    }
  }

  return (
    <AuthCard
      title="Create Your Account"
      text="Book appointments and order medicines online."
      after={
        <>
          Already have an account?{' '}
          <Link to="/login" state={state} className="font-semibold text-primary underline underline-offset-4">
            Log in
          </Link>
        </>
      }
    >
      <PersonForm form={form} onSave={save}>
        <NameFields form={form} />
        <EmailField form={form} />
        <ContactFields form={form} />
        <NewPasswordField form={form} rule={passwordRule({ staff: false })} />
        <Button type="submit" size="lg" block busy={busy} className="sm:col-span-2">
          Create My Account
        </Button>
      </PersonForm>
    </AuthCard>
  );
}

function EmailField({ form }: { readonly form: Fields<Field> }) {
  return (
    <TextField
      label="Email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      required
      className="sm:col-span-2"
      {...form.field('email')}
    />
  );
}
