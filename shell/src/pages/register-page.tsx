import { ApiProblem, Link, Navigate, notify, useConfig, useLocation, useNavigate, usePageTitle, useSession } from '@clinic/app-kit';
import { reasonFor, type NewUser } from '@clinic/app-kit/host';
import { minPasswordLength, phoneMessage, phonePattern } from '@clinic/contracts';
import { Button, DateField, PasswordField, TextField } from '@clinic/ui';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { AuthCard } from './auth-card.tsx';

type RegisterForm = NewUser & { readonly password: string };

const empty: RegisterForm = { firstName: '', lastName: '', email: '', phone: '', dateOfBirth: '', password: '' };

function isField(name: string): name is keyof RegisterForm {
  return Object.hasOwn(empty, name);
}

/** /register (specification sections 2, 5 and 8). */
export function RegisterPage() {
  usePageTitle('Create Your Account');
  const { user, createAccount, prepareSignIn } = useSession();
  const { emulator } = useConfig();
  const { state } = useLocation();
  const navigate = useNavigate();
  const { register, handleSubmit, setError, formState } = useForm<RegisterForm>({ defaultValues: empty });
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const [acting, setActing] = useState(false);
  // Takes the last failure away, once another try is made.
  const [takeBack, setTakeBack] = useState<() => void>();

  useEffect(prepareSignIn, [prepareSignIn]);

  if (user && !acting) return <Navigate to="/dash" replace />;

  const submit = handleSubmit(async ({ password, ...profile }) => {
    takeBack?.();
    setActing(true);
    try {
      await createAccount({ ...profile, email: profile.email.trim() }, password);
      notify.success('User created and saved to DB', emulator ? undefined : 'We have sent you a link to confirm your e-mail address.');
      await navigate('/', { replace: true });
    } catch (error) {
      console.error('Registration failed', error);
      const dismissal = notify.error('Something went wrong', capitalised(reasonFor(error)));
      setTakeBack(() => dismissal);
      for (const { field, message } of error instanceof ApiProblem ? (error.problem.errors ?? []) : []) {
        if (isField(field)) setError(field, { message }, { shouldFocus: true });
      }
      setActing(false);
    }
  });

  const { errors } = formState;
  return (
    <AuthCard
      title="Create Your Account" text="Book appointments and order medicines online."
      after={<>Already have an account? <Link to="/login" state={state} className="font-semibold text-primary underline underline-offset-4">Log in</Link></>}
    >
      <form method="post" noValidate className="grid gap-5 sm:grid-cols-2" onSubmit={submit}>
        <TextField
          label="First Name" autoComplete="given-name" maxLength={200} required
          error={errors.firstName?.message} {...register('firstName', { required: 'First name is required' })}
        />
        <TextField
          label="Last Name" autoComplete="family-name" maxLength={200} required
          error={errors.lastName?.message} {...register('lastName', { required: 'Last name is required' })}
        />
        <TextField
          label="Email" type="email" autoComplete="username" autoCapitalize="none" spellCheck={false} maxLength={254} required className="sm:col-span-2"
          error={errors.email?.message}
          {...register('email', { required: 'Email is required', pattern: { value: /^\s*\S+@\S+\.\S+\s*$/, message: 'This is not an e-mail address' } })}
        />
        <TextField
          label="Phone" type="tel" autoComplete="tel" required
          error={errors.phone?.message}
          {...register('phone', { required: 'Phone number is required', pattern: { value: phonePattern, message: phoneMessage } })}
        />
        <DateField
          label="Date of Birth" autoComplete="bday" min="1900-01-01" max={today} required
          error={errors.dateOfBirth?.message} {...register('dateOfBirth', { required: 'Date of birth is required', max: { value: today, message: 'This date lies in the future' } })}
        />
        <PasswordField
          label="Password" autoComplete="new-password" required className="sm:col-span-2"
          hint={`At least ${minPasswordLength} characters.`} error={errors.password?.message}
          {...register('password', {
            required: 'Password is required',
            minLength: { value: minPasswordLength, message: `Password must be at least ${minPasswordLength} characters` },
          })}
        />
        <Button type="submit" size="lg" block busy={formState.isSubmitting} className="sm:col-span-2">Create My Account</Button>
      </form>
    </AuthCard>
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
