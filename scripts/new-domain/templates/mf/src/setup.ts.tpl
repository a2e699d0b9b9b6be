import { addCalls } from '@clinic/app-kit';
import { {{camel}}Routes } from '@clinic/svc-{{name}}/contract';
import './styles.css';

addCalls({{camel}}Routes);
