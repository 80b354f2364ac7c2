# The image of every process of the service: `api`, `worker`, `migrate`, `task` (docs/containers.md). It builds for amd64
# and arm64: everything that is compiled comes as a wheel with its hash. The models come from PyPI too, by hash.
ARG PYTHON=python:3.13.15-slim-trixie

FROM ${PYTHON} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /build
# What seldom changes comes first, so that a new version of the code builds in seconds.
COPY layers/models layers/models
RUN python -m venv models-venv \
    && models-venv/bin/pip install --quiet --no-deps --require-hashes --only-binary=:all: --requirement layers/models/requirements.txt \
    && models-venv/bin/python layers/models/build.py
COPY layers/engine/requirements.txt layers/engine/requirements.txt
COPY layers/mcp/requirements.txt layers/mcp/requirements.txt
COPY containers/requirements.txt containers/requirements.txt
RUN python -m venv --without-pip /opt/remembrancer/venv \
    && python -m pip --python /opt/remembrancer/venv/bin/python install --quiet --no-deps --no-compile --require-hashes \
        --only-binary=:all: --requirement layers/engine/requirements.txt --requirement layers/mcp/requirements.txt \
        --requirement containers/requirements.txt
COPY layers/engine/remembrancer /opt/remembrancer/code/remembrancer
COPY clients/python/src/remembrancer_client /opt/remembrancer/code/remembrancer_client
COPY containers /opt/remembrancer/code/containers
COPY functions /opt/remembrancer/code/functions
COPY LICENSE layers/engine/licences /opt/remembrancer/licences/
# The root file system is read-only at run time. Bytecode is not checked against its source, which cannot change.
RUN /opt/remembrancer/venv/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/remembrancer \
    && cp -R layers/models/build /opt/remembrancer/models

FROM ${PYTHON}
COPY --from=build /opt/remembrancer /opt/remembrancer
ENV PATH=/opt/remembrancer/venv/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONPATH=/opt/remembrancer/code \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    MODELS_DIR=/opt/remembrancer/models \
    TIKTOKEN_CACHE_DIR=/opt/remembrancer/models/tiktoken \
    OPENBLAS_NUM_THREADS=1
# A number, so that Kubernetes can see that it is not root.
USER 10001:10001
WORKDIR /tmp
EXPOSE 8000 9464
ENTRYPOINT ["python", "-m", "containers"]
CMD ["api"]
