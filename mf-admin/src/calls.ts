import { addCalls } from '@clinic/app-kit';
import { clinicCalls } from '@clinic/svc-clinic/contract';
import { profileCalls } from '@clinic/svc-clinic/contract/profile-calls';
import { recordsCalls } from '@clinic/svc-clinic/contract/records-calls';
import { identityCalls } from '@clinic/svc-identity/contract';
import { invitationCalls } from '@clinic/svc-identity/contract/invitation-calls';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract';

addCalls({
  ...identityCalls,
  ...invitationCalls,
  ...clinicCalls,
  ...profileCalls,
  ...recordsCalls,
  ...pharmacyCalls,
});
