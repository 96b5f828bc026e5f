// An instrumented extension module of Python, compiled as C: methods, callbacks into Python and back, errors raised through them.
// REQUIRES: python-headers
// RUN: split-file %s %t && cd %t && chmod +x run
// RUN: for level in 1 2; do %hcct-cc -O$level -shared -fPIC -I%inputs $(/usr/bin/python3 -c 'import sysconfig; print("-I" + sysconfig.get_paths()["include"])') counted.c -o counted.so && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t/run || exit 1; done
//--- run
#!/bin/sh
exec /usr/bin/python3 program.py
//--- program.py
import counted

assert counted.twice(lambda n: n + 1, 5) == 12
assert counted.twice(lambda n: counted.twice(lambda m: m, n), 5) == 20
try:
    counted.twice(lambda n: 1 // 0, 5)
    assert False
except ZeroDivisionError:
    pass
assert sorted([3, 1, 2], key=counted.key) == [1, 2, 3]
//--- counted.c
#include <Python.h>
#include "e2e.h"
static NOINLINE long once(PyObject *function, long n)
{
    PyObject *result = PyObject_CallFunction(function, "l", n);
    if (!result)
        return -1;
    long value = PyLong_AsLong(result);
    Py_DECREF(result);
    work();
    return value;
}
static NOINLINE PyObject *twice(PyObject *self, PyObject *arguments)
{
    PyObject *function;
    long n;
    if (!PyArg_ParseTuple(arguments, "Ol", &function, &n))
        return NULL;
    long first = once(function, n), second = PyErr_Occurred() ? -1 : once(function, n);
    work();
    return PyErr_Occurred() ? NULL : PyLong_FromLong(first + second);
}
static NOINLINE PyObject *key(PyObject *self, PyObject *argument)
{
    work();
    Py_INCREF(argument);
    return argument;
}
static PyMethodDef methods[] = {{"twice", twice, METH_VARARGS, NULL}, {"key", key, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "counted", NULL, -1, methods, NULL, NULL, NULL, NULL};
__attribute__((no_profile_instrument_function)) PyMODINIT_FUNC PyInit_counted(void) { return PyModule_Create(&module); }
// CHECK: key 3
// CHECK-NEXT: twice 3
// CHECK-NEXT: twice;once 5
// CHECK-NEXT: twice;once;[PyObject_CallFunction];twice 2
// CHECK-NEXT: twice;once;[PyObject_CallFunction];twice;once 4
