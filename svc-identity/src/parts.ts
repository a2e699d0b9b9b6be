import type { Firebase } from './firebase/firebase-app.ts';
import type { RegistrationLimits } from './limits/registration-limits.ts';
import type { SignInLimits } from './limits/sign-in-limits.ts';
import type { RightsWatch } from './rights/rights-watch.ts';
import type { SecondFactors } from './second-factor/second-factors.ts';
import type { SigningKey } from './sessions/signing-key.ts';

/** Resources opened at start that several areas use. */
export interface IdentityParts {
  readonly key: SigningKey;
  readonly firebase: Firebase;
  readonly watch: RightsWatch;
  readonly limits: SignInLimits;
  readonly factors: SecondFactors;
  readonly registrations: RegistrationLimits;
}
