#!/usr/bin/env python3
"""A peer of bench_matfun: y = exp(A) b by scipy's expm_multiply, timed without reading and writing.

Usage: scipy_expm_multiply.py A.mtx b.mtx y.mtx
Prints: seconds products
"""
import sys
import time
import warnings

import scipy.io
import scipy.sparse
import scipy.sparse.linalg


class Counted(scipy.sparse.csr_matrix):
    """A matrix that counts its products."""
    products = 0

    def _mul_vector(self, other):
        Counted.products += 1
        return super()._mul_vector(other)

    def _mul_multivector(self, other):
        Counted.products += other.shape[1]
        return super()._mul_multivector(other)


def main():
    warnings.simplefilter("ignore")
    matrix, vector, result = sys.argv[1:4]
    A = Counted(scipy.io.mmread(matrix).tocsr())
    b = scipy.io.mmread(vector)[:, 0]
    begin = time.process_time()
    y = scipy.sparse.linalg.expm_multiply(A, b, traceA=float(A.diagonal().sum()))
    seconds = time.process_time() - begin
    print(f"{seconds:.6g} {Counted.products}")
    scipy.io.mmwrite(result, y.reshape(-1, 1), precision=17)


main()
