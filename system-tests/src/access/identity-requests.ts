import type { Invitation } from '@clinic/svc-identity/contract/schemas';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { people } from '../support/three-services.ts';
import { patientProfile, type ClinicRecords } from './clinic-records.ts';
import { ofPatient, page, plain, type Requests } from './request.ts';

function invitationsOf({ as, nextNumber }: ClinicRecords) {
  const newInvitation = () => ({
    email: `invited${nextNumber()}@clinic.example`,
    role: 'pharmacist',
    profile: { name: 'In Vited', qualification: 'BPharm', specialization: 'Dispensing', experience: 2 },
  });
  const invite = async (): Promise<{ readonly token: string; readonly invitation: Invitation }> =>
    readJson(
      (await as(people.admin.email))('identity')('/staff/invitations', { method: 'POST', json: newInvitation() }),
    );
  return { newInvitation, invite };
}

/** Requests for each call of svc-identity. */
export function identityRequests(records: ClinicRecords) {
  const { user, bystander, locked, deleted } = records;
  const { newInvitation, invite } = invitationsOf(records);
  return {
    startSession: plain({ body: ofPatient }),
    getSession: plain(),
    watchSession: plain(),
    proveIdentity: plain({ body: {}, letIn: 400 }),
    refreshSession: plain(),
    endSession: plain(),
    getSessionKeys: plain(),
    registerUser: plain({ body: { ...patientProfile, ...ofPatient } }),
    listUsers: plain(page),
    reportUsers: plain(),
    getUser: plain({ params: ofPatient }),
    getUserHistory: plain({ params: ofPatient }),
    changeRole: async () => {
      const { _id, role } = await user(bystander);
      return { params: { id: _id }, body: { newRole: role === 'patient' ? 'doctor' : 'patient' } };
    },
    changeRights: async () => {
      const { rights = [] } = await user(bystander);
      return { params: { email: bystander }, body: { right: 'stock', given: !rights.includes('stock') } };
    },
    changeAccess: async () => ({
      params: { email: bystander },
      body: { disabled: (await user(bystander)).disabled !== true },
    }),
    endSessions: plain({ params: ofPatient }),
    changeOwnProfile: plain({ params: ofPatient, body: { address: '12 Lake Road' } }),
    listSessions: plain({ params: ofPatient }),
    endOneSession: plain({ params: { ...ofPatient, id: 'f'.repeat(24) }, letIn: 404 }),
    startSecondFactor: plain({ params: ofPatient }),
    confirmSecondFactor: plain({ params: ofPatient, body: { code: '000000' }, letIn: 403 }),
    renewRecoveryCodes: plain({ params: ofPatient, letIn: 404 }),
    removeSecondFactor: plain({ params: ofPatient, letIn: 409 }),
    listIdentityLooks: plain({ params: ofPatient }),
    inviteStaff: () => Promise.resolve({ body: newInvitation() }),
    listInvitations: plain(page),
    revokeInvitation: async () => ({ params: { id: (await invite()).invitation._id } }),
    readInvitation: async () => ({ body: { token: (await invite()).token } }),
    // It invites somebody else, so nobody here may accept it.
    acceptInvitation: async () => ({ body: { token: (await invite()).token }, letIn: 403 }),
    listAccessEvents: plain(page),
    exportUser: plain({ params: ofPatient }),
    startErasure: plain({ params: { email: locked } }),
    finishErasure: plain({ params: { email: deleted } }),
    getDeletion: plain({ params: { id: 'f'.repeat(24) }, letIn: 404 }),
    listDeployments: plain(),
    // The services under test keep no releases, so whoever is let in gets a 404.
    changeDeployment: plain({
      params: { name: 'mf-clinic' },
      body: { kind: 'rollback', revision: 'A'.repeat(22) },
      letIn: 404,
    }),
    listIdentityEvents: plain(page),
  } satisfies Requests;
}
