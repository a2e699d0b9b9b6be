import type { Caller } from '@clinic/contracts';
import { about, assertOwner, once, type Handler } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { appointmentById } from '../appointments/appointment-change.ts';
import { ownershipOf, patientOf, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { clinicClock } from '../clinic-clock.ts';
import { daysOfToday } from '../attendance/attendance-record.ts';
import { collectionsOf } from '../collections.ts';
import type { VisitQuestions } from '../contract/question-calls.ts';
import { slotHoldingStatuses } from '../contract/transitions.ts';
import { historyRecorder } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { answerQuestions } from './answer-questions.ts';
import { canAnswer, formsFor, openQuestions } from './asked-questions.ts';
import { toForm, type QuestionFormRecord } from './question-record.ts';
import { changeQuestionForm, saveQuestionForm } from './save-form.ts';

/** Visits of one person that are looked through; people have ten ahead unless staff book more. */
const mostVisits = 60;

/** Handlers of the calls about questions before visits. */
export function questionHandlers(context: ClinicContext) {
  return { ...formHandlers(context), ...visitHandlers(context) };
}

function formHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);

  const list: Handler<'listQuestionForms'> = async () => {
    // One a specialty that a doctor has, or has had.
    const forms = await collections.questionForms
      .find({ specialtyKey: { $gte: '' } })
      .sort({ specialtyKey: 1 })
      .toArray();
    return forms.map(toForm);
  };

  const save: Handler<'saveQuestionForm'> = async (request) => {
    const recordChange = historyRecorder(context, request);
    const { body: requested } = request;
    return once(context, request, async (session) =>
      toForm(await saveQuestionForm({ collections, requested, recordChange, now: new Date() }, session)),
    );
  };

  const change: Handler<'changeQuestionForm'> = async (request) => {
    const recordChange = historyRecorder(context, request);
    const id = new ObjectId(request.params.id);
    const { body: requested } = request;
    return toForm(
      await context.inTransaction((session) =>
        changeQuestionForm({ id, collections, requested, recordChange }, session),
      ),
    );
  };

  return { listQuestionForms: list, saveQuestionForm: save, changeQuestionForm: change };
}

function visitHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);

  async function shown(record: AppointmentRecord, caller: Caller): Promise<VisitQuestions> {
    const asked = record.answered ? undefined : (await formsFor(collections, [record]))(record);
    const open = record.patientId === caller.id && canAnswer(record, clinicClock(context.settings));
    return toVisitQuestions(record, asked, open);
  }

  const listOpen: Handler<'listOpenQuestions'> = async ({ caller }) => {
    const clock = clinicClock(context.settings);
    const coming = await collections.appointments
      .find({
        accounts: caller.id,
        status: { $in: [...slotHoldingStatuses] },
        // One from before midnight may still go on.
        date: { $gte: daysOfToday(clock)[0] },
        patientId: caller.id,
      })
      .sort({ date: 1, time: 1, _id: 1 })
      .limit(mostVisits)
      .project<AppointmentRecord>({ answers: 0 })
      .toArray();
    const open = await openQuestions(collections, coming, clock);
    return open.map(({ visit: { _id, doctorName, patientName, date, time }, form: { questions } }) => ({
      _id: _id.toHexString(),
      doctorname: doctorName,
      patientname: patientName,
      date,
      time,
      questions: questions.length,
    }));
  };

  const get: Handler<'getVisitQuestions'> = async ({ params, call, caller }) => {
    const record = await appointmentById(collections, params.id);
    assertOwner(call.access, caller, ownershipOf(record));
    return about(patientOf(record), await shown(record, caller));
  };

  const answer: Handler<'answerQuestions'> = async (request) => {
    const { caller, call, body: requested } = request;
    const recordChange = historyRecorder(context, request);
    const record = await context.inTransaction((session) =>
      answerQuestions(
        {
          db: context.db,
          collections,
          id: new ObjectId(request.params.id),
          caller,
          clock: clinicClock(context.settings),
          requested,
          recordChange,
          assertMayTouch: (one) => assertOwner(call.access, caller, ownershipOf(one)),
        },
        session,
      ),
    );
    return shown(record, caller);
  };

  return { listOpenQuestions: listOpen, getVisitQuestions: get, answerQuestions: answer };
}

/** @param asked - the form, if nothing is answered yet */
function toVisitQuestions(
  { doctorName, patientName, date, time, answered, answers = [] }: AppointmentRecord,
  asked: QuestionFormRecord | undefined,
  open: boolean,
): VisitQuestions {
  const visit = { doctorname: doctorName, patientname: patientName, date, time };
  if (!answered)
    return {
      ...visit,
      ...(asked && { form: asked._id.toHexString(), version: asked.version }),
      questions: asked ? [...asked.questions] : [],
      answers: [],
      open: open && asked !== undefined,
    };
  return {
    ...visit,
    form: answered.form.toHexString(),
    version: answered.version,
    questions: answers.map(({ answer: _answer, ...question }) => question),
    answers: answers.map(({ id, answer }) => ({ id, answer: [...answer] })),
    answeredAt: answered.at.toISOString(),
    open,
  };
}
