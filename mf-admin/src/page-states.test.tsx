import { readsNothing, testPageStates } from '@clinic/app-kit/test-page-states';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import { identityCalls } from '@clinic/svc-identity/contract/calls';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import remote from '../remote.config.ts';

testPageStates(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(clinicCalls), ...Object.values(identityCalls), ...Object.values(pharmacyCalls)],
  {
    '/dash/createProfile': readsNothing('it’s a form'),
    '/dash/staff/add': readsNothing('it’s a form'),
    '/dash/search': readsNothing('what it finds are the parts’ own, in slots'),
    '/dash/overview': readsNothing('its figures are the parts’ own, in slots'),
    '/dash/account': { empty: 'it’s one record' },
  },
);
